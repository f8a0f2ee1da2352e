import { Badge, Code, List, Stack, Text } from '@mantine/core';
import type { PluginCheckLine, PluginCheckOutcome, PluginCheckReport, PluginReport } from '@gantry/contracts';

const colours: Readonly<Record<PluginCheckOutcome, string>> = { ok: 'green', warning: 'yellow', problem: 'red' };

const verdicts: Readonly<Record<PluginCheckOutcome, string>> = {
  ok: 'All checks passed.',
  warning: 'It can be enabled. Read the warnings first.',
  problem: 'It cannot be enabled until the problems are fixed.',
};

/** What the check of a plugin found, line by line. */
export function CheckReport({ report, plugin }: { readonly report: PluginCheckReport; readonly plugin: PluginReport }) {
  const failure = report.outcome === 'problem' ? undefined : startFailure(plugin, report);
  return (
    <Stack gap="xs">
      <Text fw={600} role="status">
        {failure === undefined
          ? verdicts[report.outcome]
          : 'The check found no problem, but the plugin failed to start. The check does not start it.'}
      </Text>
      {failure === undefined ? null : (
        <Text size="sm" className="long-text">
          {failure}
        </Text>
      )}
      <List listStyleType="none" spacing="xs" size="sm" aria-label="What was checked" className="check-lines">
        {report.lines.map((line) => (
          <List.Item key={`${line.part} ${line.message}`}>
            <CheckLine line={line} />
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** Why the checked version did not start, if it did not: the check loads a plugin, and does not start it. */
function startFailure({ state, version, problems }: PluginReport, checked: PluginCheckReport): string | undefined {
  if (state !== 'failed' || version !== checked.version) return undefined;
  return problems.find(({ phase }) => phase === 'start')?.reason;
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
          <b>What to do:</b> {remedy}
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
