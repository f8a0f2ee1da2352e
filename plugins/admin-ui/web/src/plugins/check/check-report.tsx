import '@mantine/core/styles/Badge.layer.css';
import './check-report.css';
import { Badge, Code, List, Stack, Text } from '@mantine/core';
import type { PluginCheckLine, PluginCheckOutcome, PluginCheckReport, PluginReport } from '@gantry/contracts';
import { reasonAgainstStart } from '../plugin-list';

const colours: Readonly<Record<PluginCheckOutcome, string>> = { ok: 'green', warning: 'yellow', problem: 'red' };

const verdicts: Readonly<Record<PluginCheckOutcome, string>> = {
  ok: 'All checks passed.',
  warning: 'It can be enabled. Read the warnings first.',
  problem: 'It cannot be enabled until the problems are fixed.',
};

interface CheckReportProps {
  readonly report: PluginCheckReport;
  /** As it is now; undefined where a package is checked that is not in use. */
  readonly plugin: PluginReport | undefined;
}

/** Findings of the check of a plugin, line by line. */
export function CheckReport({ report, plugin }: CheckReportProps) {
  const isSound = plugin === undefined || report.outcome === 'problem';
  const problem = isSound ? undefined : reasonAgainstStart(plugin, report.version);
  return (
    <Stack gap="xs">
      <Text fw={600} role="status">
        {verdicts[report.outcome]}
      </Text>
      <List listStyleType="none" spacing="xs" size="sm" aria-label="Checks" className="check-lines">
        {report.lines.map((line) => (
          <List.Item key={`${line.part} ${line.message}`}>
            <CheckLine line={line} />
          </List.Item>
        ))}
      </List>
      {problem === undefined ? null : (
        <Text size="sm" c="dimmed" className="long-text">
          A check does not start a plugin. When it was last started, it{' '}
          {plugin?.state === 'failed' ? 'failed' : `was ${plugin?.state}`}: {problem.reason} <b>Remedy:</b>{' '}
          {problem.remedy}
        </Text>
      )}
    </Stack>
  );
}

function CheckLine({ line: { part, outcome, message, remedy, details = [] } }: { readonly line: PluginCheckLine }) {
  return (
    <>
      <Badge color={colours[outcome]} variant="light" tt="none" mr="xs">
        {outcome}
      </Badge>
      <b>{part}</b>{' '}
      <span className="long-text" dir="auto">
        {message}
      </span>
      {remedy === undefined ? null : (
        <Text size="sm" className="long-text">
          <b>Remedy:</b> {remedy}
        </Text>
      )}
      {details.length === 0 ? null : (
        <details>
          <summary>Details</summary>
          <Code block className="long-text" tabIndex={0}>
            {details.join('\n')}
          </Code>
        </details>
      )}
    </>
  );
}
