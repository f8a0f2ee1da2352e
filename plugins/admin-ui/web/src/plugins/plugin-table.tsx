import type { PluginReport } from '@gantry/contracts';
import { Loader } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { durationText } from '../ui/duration-text';
import { contributionText, startTime, type ListedPlugin } from './plugin-list';
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
    <div className="items plugins" role="region" aria-label="Plugins" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">State</th>
            <th scope="col" className="wide">
              Provides
            </th>
            <th scope="col" className="wide">
              Version
            </th>
            <th scope="col" className="wide number">
              Start time
            </th>
          </tr>
        </thead>
        <tbody>
          {plugins.map(({ key, plugin }) => (
            <Fragment key={key}>
              <tr data-detailed={plugin.problems.length > 0 || undefined}>
                <th scope="row">
                  <Link className="plugin-name" to={addressOf(key)} state={openedFromList}>
                    {plugin.displayName}
                  </Link>
                  <span className="plugin-package">{plugin.packageName}</span>
                </th>
                <td>
                  <PluginStateBadge plugin={plugin} />
                  {isChanging(plugin) ? <Loader size={14} ml="xs" aria-label="Changing" role="status" /> : null}
                </td>
                <td className="wide">
                  <ValueOrDash text={contributionText(plugin)} />
                </td>
                <td className="wide">{plugin.version}</td>
                <td className="wide number">
                  <StartTime plugin={plugin} />
                </td>
              </tr>
              <ProblemRow plugin={plugin} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What is wrong with a plugin and what to do; the details have all of it. */
function ProblemRow({ plugin: { problems, displayName } }: { readonly plugin: PluginReport }) {
  const [problem] = problems;
  if (problem === undefined) return null;
  const others = problems.length - 1;
  return (
    <tr className="plugin-problem">
      <td colSpan={5} aria-label={`Problem of ${displayName}`}>
        <p>{problem.reason}</p>
        <p>
          <b>What to do:</b> {problem.remedy}
          {others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'problem' : 'problems'})`}
        </p>
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
