import type { PluginReport } from '@gantry/contracts';
import { Loader } from '@mantine/core';
import { Link } from 'react-router-dom';
import { DataTable } from '../ui/data-table';
import { durationText } from '../ui/text/duration-text';
import { contributionText, isInTrouble, startTime, type ListedPlugin } from './plugin-list';
import { PluginStateBadge } from './plugin-state-badge';
import { openedFromList } from './use-plugin-list';

export interface PluginTableProps {
  readonly plugins: readonly ListedPlugin[];
  /** The address of the details of a plugin. */
  addressOf(key: string): string;
  /** Whether a change of it is under way. */
  isChanging(plugin: PluginReport): boolean;
}

/** The packages that were found: how each is, what it contributes, and what to do about one that does not run. */
export function PluginTable({ plugins, addressOf, isChanging }: PluginTableProps) {
  return (
    <DataTable
      label="Plugins"
      className="plugins"
      rows={plugins}
      rowKey={({ key }) => key}
      rowBelow={({ plugin }) => problemRow(plugin)}
      columns={[
        {
          title: 'Name',
          isRowHeader: true,
          cell: ({ key, plugin }) => (
            <>
              <Link className="row-name" to={addressOf(key)} state={openedFromList}>
                {plugin.displayName}
              </Link>
              <span className="row-note">{plugin.packageName}</span>
            </>
          ),
        },
        {
          title: 'State',
          cell: ({ plugin }) => (
            <>
              <PluginStateBadge plugin={plugin} />
              {isChanging(plugin) ? <Loader size={14} ml="xs" aria-label="Changing" role="status" /> : null}
            </>
          ),
        },
        {
          title: 'Provides',
          className: 'wide',
          cell: ({ plugin }) => <ValueOrDash text={contributionText(plugin)} />,
        },
        { title: 'Version', className: 'wide', cell: ({ plugin }) => plugin.version },
        {
          title: 'Start time',
          className: 'wide',
          align: 'end',
          cell: ({ plugin }) => <StartTime plugin={plugin} />,
        },
      ]}
    />
  );
}

/** The first problem of a plugin and its remedy; the details have all of them. */
function problemRow(plugin: PluginReport) {
  const { problems, displayName } = plugin;
  const [problem] = problems;
  if (problem === undefined) return null;
  const others = problems.length - 1;
  return (
    <tr className="plugin-problem" data-urgent={isInTrouble(plugin) || undefined}>
      <td colSpan={5} aria-label={`Problem of ${displayName}`}>
        <div>
          <p>{problem.reason}</p>
          <p>
            <b>Remedy:</b> {problem.remedy}
            {others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'problem' : 'problems'})`}
          </p>
        </div>
      </td>
    </tr>
  );
}

function StartTime({ plugin }: { readonly plugin: PluginReport }) {
  const time = startTime(plugin);
  return <ValueOrDash text={time === undefined || plugin.state === 'disabled' ? '' : durationText(time)} />;
}

function ValueOrDash({ text }: { readonly text: string }) {
  return text === '' ? <span className="no-value">–</span> : text;
}
