import { Button } from '@mantine/core';
import { LinkButton } from '../../ui/link-button';
import { EmptyState } from '../../ui/states';
import { useMetadata } from '../content-layout';
import type { ListControl } from './list-state';

/** A list without rows: nothing matches, the page is gone, or there is nothing yet. */
export function NoItems({ control }: { readonly control: ListControl }) {
  const metadata = useMetadata();
  if (control.state.criteria.length > 0) {
    return (
      <EmptyState
        title="Nothing matches these filters"
        action={
          <Button variant="default" onClick={() => control.change({ criteria: [] })}>
            Clear all filters
          </Button>
        }
      >
        All filters must hold at once. Remove one, or look for less.
      </EmptyState>
    );
  }
  if (control.state.after !== undefined) {
    return (
      <EmptyState
        title="This page is empty"
        action={
          <Button variant="default" onClick={control.openFirst}>
            Go to the first page
          </Button>
        }
      >
        The items that were here are gone.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={`No ${metadata.displayName} yet`}
      action={
        metadata.readOnly ? null : (
          <LinkButton to={`/content/${metadata.code}/new`}>
            <span className="clipped">Create the first {metadata.displayName}</span>
          </LinkButton>
        )
      }
    >
      {metadata.readOnly
        ? 'The plugin that brings this type has not written any.'
        : 'Items that you create appear here.'}
    </EmptyState>
  );
}
