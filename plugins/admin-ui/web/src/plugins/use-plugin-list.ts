import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { formatPluginListState, parsePluginListState, type PluginListState } from './plugin-list';

export interface PluginListControl {
  readonly state: PluginListState;
  addressOf(part: Partial<PluginListState>): string;
  /** Filters without an entry in the history for each key. */
  filter(text: string): void;
  /** Closes the details, by going back to where they were opened if that is known. */
  close(): void;
}

/** State that the browser keeps with an address that was opened from the list. */
export const openedFromList = { fromList: true } as const;

export function usePluginList(): PluginListControl {
  const [parameters] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  const state = parsePluginListState(parameters);
  const addressOf = (part: Partial<PluginListState>): string => formatPluginListState({ ...state, ...part });
  return {
    state,
    addressOf,
    filter: (text) => void navigate(addressOf({ text }), { replace: true }),
    close: () => {
      const isFromList = (location.state as Partial<typeof openedFromList> | null)?.fromList === true;
      if (isFromList) void navigate(-1);
      else void navigate(addressOf({ open: undefined }), { replace: true });
    },
  };
}
