import { Code } from '@mantine/core';
import { mayReader } from '../api/platform/initial-data';
import { LinkButton } from '../ui/page/link-button';
import { EmptyState } from '../ui/states';
import { Surface } from '../ui/surface';

/** For a reader who sees no item type. */
export function NoTypes() {
  return (
    <Surface>
      {mayReader('plugins.read') ? (
        <EmptyState title="No item types yet" action={<LinkButton to="/plugins">View plugins</LinkButton>}>
          Put a plugin package into the folder <Code>plugins</Code>, or enable one that is there:{' '}
          <Code className="no-wrap">gantry plugins enable &lt;id&gt;</Code>
        </EmptyState>
      ) : (
        <EmptyState title="No item types">Your roles show none. Ask an administrator for another role.</EmptyState>
      )}
    </Surface>
  );
}
