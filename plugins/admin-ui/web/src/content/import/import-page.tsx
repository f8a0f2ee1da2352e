import { nameInSentence } from '../name-in-sentence';
import { may } from '../../common/may';
import './import.css';
import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Navigate } from 'react-router-dom';
import { softDisabledProps } from '../../ui/soft-disabled-props';
import { Breadcrumb } from '../../ui/page/breadcrumb';
import { PageHeader } from '../../ui/page/page';
import { Surface } from '../../ui/surface';
import { useMetadata } from '../content-layout';
import { useLastList } from '../last-list';
import { UnsavedScope, useUnsaved } from '../form/unsaved-guard';
import { FileChooser } from './file-chooser';
import { guessFields, hasIds, orderProblem, type ImportOrder } from './import-order';
import { ImportOutcome } from './import-outcome';
import { ImportSteps } from './import-steps';
import { MappingTable } from './mapping-table';
import { guessDelimiter, guessFormat, readPreview, type FileFormat } from './preview';
import { ReadingOptions } from './reading-options';
import { useImport } from './use-import';

/** Makes items of a type from a file: choose it, see how its columns are understood, check it, import it. */
export function ImportPage() {
  const metadata = useMetadata();
  const run = useImport(metadata.code);
  const [order, setOrder] = useState<ImportOrder>();
  const list = useLastList(metadata.code);
  if (!may(metadata, 'import')) return <Navigate to={`/content/${metadata.code}`} replace />;
  const isRunning = run.state.phase === 'sending' || run.state.phase === 'reading';

  const look = async (file: File, format: FileFormat, delimiter: string): Promise<void> => {
    const preview = await readPreview(file, format, delimiter);
    const ids = hasIds(preview.columns);
    run.clear();
    setOrder({
      file,
      format,
      delimiter,
      preview,
      fieldOf: guessFields(metadata, preview.columns),
      fixed: {},
      match: '',
      ids,
      // As the pages themselves export.
      safeCsv: ids && format === 'csv',
      ignoreUnknown: false,
    });
  };
  const choose = async (file: File): Promise<void> => {
    const format = await guessFormat(file);
    await look(file, format, format === 'csv' ? await guessDelimiter(file) : ',');
  };
  const change = (part: Partial<ImportOrder>): void => {
    run.clear();
    setOrder((known) => (known === undefined ? known : { ...known, ...part }));
  };
  const problem = order === undefined ? undefined : orderProblem(metadata, order);
  const cannotBegin = isRunning || problem !== undefined;
  const isChecked = run.state.phase === 'done' && run.state.report.problems === 0;
  const begin = (dryRun: boolean): void => {
    if (order !== undefined && !cannotBegin) void run.begin(order, dryRun);
  };
  // Problems are more urgent than the options of reading the file.
  const mapping =
    order === undefined ? null : order.preview.problem === undefined ? (
      <Surface label="Columns and fields" isFlush>
        <MappingTable
          metadata={metadata}
          order={order}
          problems={run.problems}
          onChange={(fieldOf) => change({ fieldOf })}
        />
      </Surface>
    ) : (
      <Alert color="gray">{order.preview.problem}</Alert>
    );
  return (
    <UnsavedScope
      title="Cancel the import?"
      text="The import is still running. It is cancelled when you leave, and nothing is written."
      leave="Cancel and leave"
      whenSettled="stay"
    >
      <Running now={isRunning} />
      <PageHeader
        title={`Import ${nameInSentence(metadata.displayNamePlural)}`}
        breadcrumb={<Breadcrumb links={[{ ...list, text: metadata.displayNamePlural }]} />}
        actions={
          order === undefined ? undefined : <Begin isChecked={isChecked} cannotBegin={cannotBegin} onBegin={begin} />
        }
      />
      <Stack gap="md">
        <ImportSteps order={order} problem={problem} state={run.state} />
        {run.state.phase === 'idle' ? null : (
          <Surface label="Result">
            <ImportOutcome metadata={metadata} run={run} />
          </Surface>
        )}
        {run.problems.length > 0 ? mapping : null}
        <Surface title={order === undefined ? undefined : 'File settings'} label="File">
          <Stack gap="md">
            <FileChooser file={order?.file} onChoose={(file) => void choose(file)} />
            {order === undefined ? null : (
              <ReadingOptions
                metadata={metadata}
                order={order}
                onFormat={(format, delimiter) => void look(order.file, format, delimiter)}
                onChange={change}
              />
            )}
          </Stack>
        </Surface>
        {problem === undefined ? null : <Alert color="yellow">{problem}</Alert>}
        {run.problems.length > 0 ? null : mapping}
      </Stack>
    </UnsavedScope>
  );
}

interface BeginProps {
  /** The check is the first step; after a sound one, the import is the next. */
  readonly isChecked: boolean;
  readonly cannotBegin: boolean;
  onBegin(dryRun: boolean): void;
}

function Begin({ isChecked, cannotBegin, onBegin }: BeginProps) {
  return (
    <>
      <Button
        variant={isChecked ? 'default' : 'filled'}
        {...softDisabledProps(cannotBegin)}
        onClick={() => onBegin(true)}
      >
        Check only
      </Button>
      <Button
        variant={isChecked ? 'filled' : 'default'}
        {...softDisabledProps(cannotBegin)}
        onClick={() => onBegin(false)}
      >
        Import
      </Button>
    </>
  );
}

/** Asks before the page is left while an import goes on. */
function Running({ now }: { readonly now: boolean }) {
  useUnsaved(0, () => now, now);
  return null;
}
