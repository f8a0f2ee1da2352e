import { useState } from 'react';

/** Orders that can be acted on at once. */
export const maxSelected = 100;

export interface OrderSelection {
  readonly ids: ReadonlySet<string>;
  /** Selects an order or not; beyond {@link maxSelected} nothing is selected. */
  select(orderIds: readonly string[], isSelected: boolean): void;
  clear(): void;
}

/** The selected orders of a list. @param list another one begins without a selection */
export function useOrderSelection(list: string): OrderSelection {
  const [kept, setKept] = useState<{ readonly list: string; readonly ids: ReadonlySet<string> }>({ list, ids: none });
  const ids = kept.list === list ? kept.ids : none;
  return {
    ids,
    select(orderIds, isSelected) {
      const next = new Set(ids);
      for (const orderId of orderIds) {
        if (!isSelected) next.delete(orderId);
        else if (next.size < maxSelected) next.add(orderId);
      }
      setKept({ list, ids: next });
    },
    clear: () => setKept({ list, ids: none }),
  };
}

const none: ReadonlySet<string> = new Set();
