import { Button } from '@mantine/core';
import { nameInSentence } from '../name-in-sentence';
import { LinkButton } from '../../ui/link-button';
import { EmptyState } from '../../ui/states';
import { useMetadata } from '../content-layout';
import { may } from '../../common/may';
import type { ListControl } from './list-state';

/** A list without rows: nothing matches, the page is gone, or there is nothing yet. */
export function NoItems({ control }: { readonly control: ListControl }) {
  const metadata = useMetadata();
  const mayCreate = may(metadata, 'create');
  if (control.state.criteria.length > 0 || control.state.q !== undefined) {
    return (
      <EmptyState
        title="No results"
        action={
          <Button variant="default" onClick={() => control.change({ criteria: [], q: undefined })}>
            Clear all filters
          </Button>
        }
      >
        No item matches the search and all of the filters. Remove a filter or change its value.
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
        Its items were deleted or no longer match.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={`No ${nameInSentence(metadata.displayNamePlural)} yet`}
      action={
        !mayCreate ? null : (
          <LinkButton to={`/content/${metadata.code}/new`}>
            <span className="clipped">Create the first {nameInSentence(metadata.displayName)}</span>
          </LinkButton>
        )
      }
    >
      {metadata.readOnly
        ? 'The plugin of this type has not created any.'
        : mayCreate
          ? 'Items that you create appear here.'
          : 'Items of this type appear here.'}
    </EmptyState>
  );
}
