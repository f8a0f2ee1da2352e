import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import type { ImportProblem, ImportReport, ItemMetadata } from '@gantry/contracts';
import { ApiError } from '../../api/api-error';
import { CheckIcon, InfoIcon, WarningIcon } from '../../ui/icons';
import { LinkButton } from '../../ui/page/link-button';
import { ErrorState } from '../../ui/states';
import { problemText } from './problem-text';
import type { ImportRun, ImportState } from './use-import';

/** Progress and result of an import. */
export function ImportOutcome({ metadata, run }: { readonly metadata: ItemMetadata; readonly run: ImportRun }) {
  const { state, problems } = run;
  switch (state.phase) {
    case 'idle':
      return null;
    case 'sending':
    case 'reading':
      return <Running state={state} onCancel={run.cancel} />;
    case 'cancelled':
      return (
        <Alert icon={<InfoIcon />} title="Cancelled" role="status" color="gray">
          Nothing was written.
        </Alert>
      );
    case 'failed':
      return (
        <>
          {isAboutLines(state.error) ? (
            <WrongLines metadata={metadata} message={state.error.message} problems={problems} />
          ) : (
            <ErrorState error={state.error} title="Nothing was imported" once />
          )}
        </>
      );
    case 'done':
      return state.report.problems > 0 ? (
        <WrongLines
          metadata={metadata}
          message={`${state.report.badItems} of ${state.report.items} items are not valid`}
          problems={problems}
          all={state.report.problems}
        />
      ) : (
        <Sound metadata={metadata} report={state.report} />
      );
  }
}

function isAboutLines(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'VALIDATION_FAILED';
}

type RunningState = Extract<ImportState, { readonly phase: 'sending' | 'reading' }>;

function Running({ state, onCancel }: { readonly state: RunningState; onCancel(): void }) {
  const progress = state.phase === 'reading' ? state.progress : undefined;
  const share = progress === undefined ? 0 : progress.size === 0 ? 100 : (progress.read / progress.size) * 100;
  const doing = state.dryRun ? 'Checking' : 'Importing';
  const text =
    progress === undefined
      ? 'Sending the file …'
      : progress.keeping
        ? 'Keeping all items …'
        : `${doing}: ${progress.items.toLocaleString()} items read, ${progress.badItems.toLocaleString()} wrong`;
  return (
    <div>
      <Text size="sm" mb="icon" role="status">
        {text}
      </Text>
      <Progress value={progress === undefined ? 100 : share} animated aria-label={doing} />
      <Group mt="sm">
        <Button variant="default" onClick={onCancel} disabled={progress?.keeping === true}>
          Cancel
        </Button>
      </Group>
    </div>
  );
}

function Sound({ metadata, report }: { readonly metadata: ItemMetadata; readonly report: ImportReport }) {
  const parts = [
    `${report.created.toLocaleString()} new`,
    ...(report.updated > 0 ? [`${report.updated.toLocaleString()} changed`] : []),
    ...(report.unchanged > 0 ? [`${report.unchanged.toLocaleString()} unchanged`] : []),
  ].join(', ');
  if (report.dryRun) {
    return (
      <Alert icon={<CheckIcon />} color="green" title="Every line can be imported" role="status">
        {report.items.toLocaleString()} items: {parts}. Nothing was written yet.
      </Alert>
    );
  }
  return (
    <Alert icon={<CheckIcon />} color="green" title={`Imported ${report.items.toLocaleString()} items`} role="status">
      <Text size="sm">{parts}.</Text>
      <LinkButton to={`/content/${metadata.code}`} mt="sm">
        View list
      </LinkButton>
    </Alert>
  );
}

interface WrongLinesProps {
  readonly metadata: ItemMetadata;
  readonly message: string;
  readonly problems: readonly ImportProblem[];
  /** Number of all problems, if more than those reported. */
  readonly all?: number;
}

function WrongLines({ metadata, message, problems, all = problems.length }: WrongLinesProps) {
  return (
    <>
      <Alert icon={<WarningIcon />} color="red" title="Nothing was written" role="alert">
        {message}. Correct these lines and choose the file again.
        {problems.length < all || problems.length === maxListed
          ? ` The first ${problems.length} problems are shown.`
          : ''}
      </Alert>
      <div className="problem-lines" tabIndex={0} role="region" aria-label="Lines with problems">
        <ul className="value-list">
          {problems.map((problem, index) => (
            <li key={index} className="long-text">
              <bdi>{problemText(metadata, problem)}</bdi>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** The platform reports no more. */
const maxListed = 1000;
