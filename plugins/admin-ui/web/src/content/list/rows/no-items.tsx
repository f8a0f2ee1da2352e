import { Button, Group } from '@mantine/core';
import type { ItemMetadata } from '@gantry/contracts';
import { nameInSentence } from '../../name-in-sentence';
import { PlusIcon, UploadIcon } from '../../../ui/icons';
import { LinkButton } from '../../../ui/page/link-button';
import { EmptyState } from '../../../ui/states';
import { useMetadata } from '../../content-layout';
import { may } from '../../../common/may';
import type { ListControl } from '../list-state';

/** A list without rows: nothing matches, the page is gone, or there is nothing yet. */
export function NoItems({ control }: { readonly control: ListControl }) {
  const metadata = useMetadata();
  if (control.state.criteria.length > 0 || control.state.q !== undefined) {
    return (
      <EmptyState
        title="No results"
        action={
          <Button variant="default" onClick={() => control.change({ criteria: [], q: undefined })}>
            Clear filters
          </Button>
        }
      >
        Remove a filter or change its value.
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
    <EmptyState title={`No ${nameInSentence(metadata.displayNamePlural)} yet`} action={<FirstSteps />}>
      {metadata.readOnly ? 'The plugin of this type has not created any.' : whatBelongsHere(metadata)}
    </EmptyState>
  );
}

/** The ways to the first items. */
function FirstSteps() {
  const metadata = useMetadata();
  const [mayCreate, mayImport] = [may(metadata, 'create'), may(metadata, 'import')];
  if (!mayCreate && !mayImport) return null;
  return (
    <Group justify="center" gap="xs" mt="sm" maw="100%">
      {!mayCreate ? null : (
        <LinkButton to={`/content/${metadata.code}/new`} leftSection={<PlusIcon size={16} />}>
          <span className="clipped">New {nameInSentence(metadata.displayName)}</span>
        </LinkButton>
      )}
      {!mayImport ? null : (
        <LinkButton
          to={`/content/${metadata.code}/import`}
          variant={mayCreate ? 'default' : 'filled'}
          leftSection={<UploadIcon size={16} />}
        >
          Import a file
        </LinkButton>
      )}
    </Group>
  );
}

const names = new Intl.ListFormat('en', { type: 'conjunction' });
const mostNames = 5;

/** Fields of an item, as the form names them: types have no description. */
function whatBelongsHere({ displayName, fields }: ItemMetadata): string {
  const shown = fields.slice(0, mostNames).map((field) => nameInSentence(field.displayName));
  const more = fields.length > mostNames ? [...shown, 'more'] : shown;
  return `Each ${nameInSentence(displayName)} has ${names.format(more)}.`;
}
