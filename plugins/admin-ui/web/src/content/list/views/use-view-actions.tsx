import { notifications } from '@mantine/notifications';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ListPreference, SavedView } from '../../../api/platform/preference';
import type { Preference } from '../../../api/platform/preferences';
import { notifyNotStored } from '../../../ui/text/notify-not-stored';
import { noView, type ListState } from '../list-state';
import { LazyViewDialog } from '../menu/list-dialogs';
import type { ViewQuestion } from './view-dialog';
import { changeView, isChanged, viewParameters, viewSearch, withDefault, withoutView, withView } from './views';

export interface ViewActions {
  readonly views: readonly SavedView[];
  /** The view that is open. */
  readonly current: SavedView | undefined;
  /** The list shows something else than the view says. */
  readonly isChanged: boolean;
  readonly isDefault: boolean;
  /** Why the views cannot be read now. */
  readonly error: unknown;
  ask(question: ViewQuestion): void;
  /** Stores what the list shows in the view that is open. */
  overwrite(): void;
  toggleDefault(): void;
  /** Belongs into the page beside the menu. */
  readonly dialog: ReactNode;
}

export interface ViewSource {
  readonly preference: Preference<ListPreference>;
  readonly state: ListState;
  /** Columns that the reader has chosen: a view keeps them even if the address leaves them out. */
  readonly columns: readonly string[] | undefined;
}

/** Saves and keeps views: named sets of filters, sorting, page size and columns. */
export function useViewActions({ preference, state, columns }: ViewSource): ViewActions {
  const navigate = useNavigate();
  const [question, setQuestion] = useState<ViewQuestion>();
  const views = preference.value?.views ?? [];
  const current = views.find(({ id }) => id === state.view);
  const isDefault = current !== undefined && preference.value?.defaultView === current.id;
  const attempt = (work: Promise<void>, done: string): void => {
    work.then(() => notifications.show({ message: done, color: 'green' }), notifyNotStored);
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
      await navigate({ search: viewSearch(view) });
    }
  };
  return {
    views,
    current,
    isChanged: current !== undefined && isChanged(current, state, columns),
    isDefault,
    error: preference.error,
    ask: setQuestion,
    overwrite: () => {
      if (current === undefined) return;
      const parameters = viewParameters(state, columns);
      attempt(
        preference.change((stored) => changeView(stored, current.id, { parameters })),
        `Saved the view ${current.name}`,
      );
    },
    toggleDefault: () => {
      if (current === undefined) return;
      attempt(
        preference.change((stored) => withDefault(stored, isDefault ? undefined : current.id)),
        isDefault ? 'The list opens with all items' : `The list opens with ${current.name}`,
      );
    },
    dialog: (
      <LazyViewDialog question={question} views={views} onClose={() => setQuestion(undefined)} onAnswer={answer} />
    ),
  };
}

/** Random enough among the fifty views of a list; `crypto.randomUUID` is missing where a page is not secure. */
function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36).padStart(2, '0')).join('');
}
