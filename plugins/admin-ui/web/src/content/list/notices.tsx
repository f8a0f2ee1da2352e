import { Code, Text } from '@mantine/core';
import type { Page } from '../../api/items';

export interface NoticesProps {
  readonly page: Page | undefined;
  /** Columns and sorting that the type does not have (any more). */
  readonly missing: readonly string[];
}

/** Says what of the address was left out: the list opens anyway. */
export function Notices({ page, missing }: NoticesProps) {
  const skipped = page?.skipped.map(({ field }) => field) ?? [];
  return (
    <div role="status">
      {skipped.length === 0 ? null : (
        <Notice text="Not applied, because the type cannot be searched by it:" names={skipped} />
      )}
      {missing.length === 0 ? null : (
        <Notice text="Left out, because the type no longer has it as a column or cannot sort by it:" names={missing} />
      )}
    </div>
  );
}

function Notice({ text, names }: { readonly text: string; readonly names: readonly string[] }) {
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {text}{' '}
      {[...new Set(names)].map((name) => (
        <Code key={name} mr={4}>
          {name.slice(0, 100)}
        </Code>
      ))}
    </Text>
  );
}
