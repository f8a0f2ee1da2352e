import { CheckIcon, ColumnsIcon, DownloadIcon, UploadIcon, WarningIcon } from '../../ui/icons';
import type { ImportOrder } from './import-order';
import type { ImportState } from './use-import';

export interface ImportStepsProps {
  /** Undefined until a file is chosen. */
  readonly order: ImportOrder | undefined;
  /** Reason for which the import cannot begin. */
  readonly problem: string | undefined;
  readonly state: ImportState;
}

interface Step {
  readonly name: string;
  readonly note: string;
  readonly Icon: typeof CheckIcon;
  readonly isDone: boolean;
  readonly isWrong?: boolean;
}

/** The way of an import, and how far it is. */
export function ImportSteps(props: ImportStepsProps) {
  const steps = stepsOf(props);
  const current = steps.find(({ isDone }) => !isDone);
  return (
    <ol className="surface import-steps" aria-label="Steps of the import">
      {steps.map((step) => {
        const { name, note, isDone, isWrong = false } = step;
        const Icon = isDone ? CheckIcon : isWrong ? WarningIcon : step.Icon;
        return (
          <li
            key={name}
            data-done={isDone || undefined}
            data-wrong={isWrong || undefined}
            aria-current={step === current ? 'step' : undefined}
          >
            <span className="step-mark">
              <Icon size={14} />
            </span>
            <b>{name}</b>
            <span className="step-note">{note}</span>
          </li>
        );
      })}
    </ol>
  );
}

function stepsOf({ order, problem, state }: ImportStepsProps): readonly Step[] {
  const report = state.phase === 'done' ? state.report : undefined;
  const isSound = report?.problems === 0;
  const isWritten = isSound && !report.dryRun;
  const isWrong = state.phase === 'failed' || (report?.problems !== undefined && report.problems > 0);
  const hasColumns = order !== undefined && order.preview.problem === undefined;
  return [
    {
      name: 'File',
      note: order === undefined ? 'CSV, JSON Lines or JSON' : fileNote(order),
      Icon: UploadIcon,
      isDone: hasColumns,
      isWrong: order?.preview.problem !== undefined,
    },
    {
      name: 'Fields',
      note: order === undefined ? 'Fields of the columns' : fieldsNote(order),
      Icon: ColumnsIcon,
      isDone: hasColumns && problem === undefined,
    },
    { name: 'Check', note: isWrong ? 'Has problems' : 'Without writing', Icon: CheckIcon, isDone: isSound, isWrong },
    { name: 'Import', note: isWritten ? 'Done' : 'All rows or none', Icon: DownloadIcon, isDone: isWritten },
  ];
}

function fileNote({ format, preview: { columns } }: ImportOrder): string {
  const parts = columns.length === 1 ? '1 column' : `${columns.length} columns`;
  return `${{ csv: 'CSV', jsonl: 'JSON Lines', json: 'JSON' }[format]}, ${parts}`;
}

function fieldsNote({ preview: { columns }, fieldOf }: ImportOrder): string {
  const chosen = columns.filter((column) => (fieldOf[column] ?? '') !== '').length;
  return `${chosen} of ${columns.length} have a field`;
}
