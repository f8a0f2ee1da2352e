import { Badge, Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { messageOf } from '../../../api/api-error';
import type { ListPreference, SavedView } from '../../../api/preference';
import type { Preference } from '../../../api/preferences';
import { BookmarkIcon, CheckIcon, EditIcon, PlusIcon, StarIcon, TrashIcon } from '../../../ui/icons';
import { noView, type ListState } from '../list-state';
import { ViewDialog, type ViewQuestion } from './view-dialog';
import { changeView, isChanged, viewParameters, viewSearch, withDefault, withoutView, withView } from './views';

export interface ViewMenuProps {
  readonly preference: Preference<ListPreference>;
  readonly state: ListState;
  /** The columns in sight: a view keeps them even where the address leaves them out. */
  readonly columns: readonly string[];
}

/** Opens, saves and keeps views: named sets of filters, sorting, page size and columns. */
export function ViewMenu({ preference, state, columns }: ViewMenuProps) {
  const navigate = useNavigate();
  const [question, setQuestion] = useState<ViewQuestion>();
  const button = useRef<HTMLButtonElement>(null);
  const ask = (asked: ViewQuestion): void => {
    // The entry of the menu goes; the dialog gives the focus back to what has it when it opens.
    button.current?.focus();
    setQuestion(asked);
  };
  const views = preference.value?.views ?? [];
  const current = views.find(({ id }) => id === state.view);
  const changed = current !== undefined && isChanged(current, state, columns);
  const open = (view: SavedView): void => void navigate({ search: viewSearch(view) });
  const attempt = (work: Promise<void>, done: string): void => {
    work.then(
      () => notifications.show({ message: done, color: 'green' }),
      (error: unknown) => notifications.show({ message: `Not stored: ${messageOf(error)}`, color: 'red' }),
    );
  };
  const overwrite = (view: SavedView): void => {
    const parameters = viewParameters(state, columns);
    attempt(
      preference.change((stored) => changeView(stored, view.id, { parameters })),
      `Saved the view ${view.name}`,
    );
  };
  const answer = async (asked: ViewQuestion, name: string): Promise<void> => {
    if (asked.kind === 'delete') {
      await preference.change((stored) => withoutView(stored, asked.view.id));
      await navigate({ search: `view=${noView}` });
    } else if (asked.kind === 'rename') {
      await preference.change((stored) => changeView(stored, asked.view.id, { name }));
    } else {
      const view = { id: createId(), name, parameters: viewParameters(state, columns) };
      await preference.change((stored) => withView(stored, view));
      open(view);
    }
  };
  return (
    <>
      <Menu position="bottom-start" width={300} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            ref={button}
            className={current === undefined ? 'tool' : undefined}
            variant="default"
            leftSection={<BookmarkIcon size={16} />}
            maw={260}
          >
            <span className="clipped" dir="auto">
              {current === undefined ? 'Views' : `${current.name}${changed ? ' (changed)' : ''}`}
            </span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={480} className="options">
          <ViewLinks preference={preference} current={current} />
          <Menu.Divider />
          <Menu.Item leftSection={<PlusIcon size={16} />} onClick={() => ask({ kind: 'create' })}>
            Save as a new view …
          </Menu.Item>
          {current === undefined ? null : (
            <>
              <Menu.Item leftSection={<CheckIcon size={16} />} disabled={!changed} onClick={() => overwrite(current)}>
                Save the changes to this view
              </Menu.Item>
              <DefaultItem preference={preference} view={current} attempt={attempt} />
              <Menu.Item leftSection={<EditIcon size={16} />} onClick={() => ask({ kind: 'rename', view: current })}>
                Rename …
              </Menu.Item>
              <Menu.Item leftSection={<TrashIcon size={16} />} onClick={() => ask({ kind: 'delete', view: current })}>
                Delete …
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <ViewDialog question={question} views={views} onClose={() => setQuestion(undefined)} onAnswer={answer} />
    </>
  );
}

/** The views as links, so that one can be opened in a new tab or its address be copied. */
function ViewLinks({
  preference,
  current,
}: Pick<ViewMenuProps, 'preference'> & { readonly current?: SavedView | undefined }) {
  const { value, error } = preference;
  const mark = <CheckIcon size={16} aria-hidden={false} role="img" aria-label="Open now" />;
  return (
    <>
      <Menu.Item component={Link} to={{ search: `view=${noView}` }}>
        All items
      </Menu.Item>
      {(value?.views ?? []).map((view) => (
        <Menu.Item
          key={view.id}
          component={Link}
          to={{ search: viewSearch(view) }}
          leftSection={view.id === current?.id ? mark : undefined}
          rightSection={
            view.id === value?.defaultView ? (
              <Badge size="sm" variant="default" tt="none">
                default
              </Badge>
            ) : undefined
          }
        >
          <span className="clipped" dir="auto">
            {view.name}
          </span>
        </Menu.Item>
      ))}
      {error === null ? null : (
        <Text size="sm" c="dimmed" px="sm" py={4}>
          Saved views cannot be read now: {messageOf(error)}
        </Text>
      )}
    </>
  );
}

function DefaultItem({
  preference,
  view,
  attempt,
}: Pick<ViewMenuProps, 'preference'> & {
  readonly view: SavedView;
  attempt(work: Promise<void>, done: string): void;
}) {
  const isDefault = preference.value?.defaultView === view.id;
  const store = (): void =>
    attempt(
      preference.change((stored) => withDefault(stored, isDefault ? undefined : view.id)),
      isDefault ? 'The list opens with all items' : `The list opens with ${view.name}`,
    );
  return (
    <Menu.Item leftSection={<StarIcon size={16} />} onClick={store}>
      {isDefault ? 'No longer open it by default' : 'Open it by default'}
    </Menu.Item>
  );
}

/** Random enough among the fifty views of a list; `crypto.randomUUID` is missing where a page is not secure. */
function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, '0')).join('');
}
