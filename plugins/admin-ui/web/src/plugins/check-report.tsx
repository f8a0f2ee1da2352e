import { Badge, Code, List, Stack, Text } from '@mantine/core';
import type { PluginCheckLine, PluginCheckOutcome, PluginCheckReport } from '@gantry/contracts';

const colours: Readonly<Record<PluginCheckOutcome, string>> = { ok: 'green', warning: 'yellow', problem: 'red' };

const verdicts: Readonly<Record<PluginCheckOutcome, string>> = {
  ok: 'No problems were found.',
  warning: 'It can be enabled; look at the warnings first.',
  problem: 'It cannot be enabled until the problems are solved.',
};

/** What the check of a plugin found, line by line. */
export function CheckReport({ report }: { readonly report: PluginCheckReport }) {
  return (
    <Stack gap="xs">
      <Text fw={600} role="status">
        {verdicts[report.outcome]}
      </Text>
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
          <summary>In full</summary>
          <Code block className="long-text" tabIndex={0}>
            {details.join('\n')}
          </Code>
        </details>
      )}
    </>
  );
}
