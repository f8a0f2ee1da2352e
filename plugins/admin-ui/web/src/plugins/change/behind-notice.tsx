import { Alert, Stack, Text } from '@mantine/core';
import type { PluginSetReport } from '@gantry/contracts';
import { WarningIcon } from '../../ui/icons';

/** That this host does not run all plugins that were chosen for all hosts, why, and what to do. */
export function BehindNotice({ pluginSet }: { readonly pluginSet: PluginSetReport | undefined }) {
  const { generation, behind } = pluginSet ?? {};
  // Without an error, the host is about to follow.
  if (behind?.error === undefined) return null;
  const { message, remedy } = behind.error;
  const isEarlier = generation !== behind.generation;
  const title = isEarlier ? 'This host runs an earlier plugin set' : 'This host lacks packages of plugins';
  return (
    <Alert color="yellow" icon={<WarningIcon />} title={title} role="alert" mb="md">
      <Stack gap="xxs">
        <Text size="sm">
          It runs generation {generation} of the plugin set
          {isEarlier ? `, and the database has generation ${behind.generation}` : ''}. Other hosts may show other
          plugins.
        </Text>
        <Text size="sm" className="long-text">
          <b>Why:</b> {message}
        </Text>
        <Text size="sm" className="long-text">
          <b>Remedy:</b> {remedy}
        </Text>
      </Stack>
    </Alert>
  );
}
