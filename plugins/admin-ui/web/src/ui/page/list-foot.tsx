import type { ReactNode } from 'react';
import { pageSizes } from './page-sizes';
import { PageSteps } from './page-steps';
import { rangeText } from '../text/range-text';
import type { PageTrail } from './use-page-trail';

export interface ListFootProps {
  readonly control: Omit<PageTrail, 'trail'> & {
    readonly state: { readonly limit: number; readonly after: string | undefined };
    change(part: { readonly limit: number }): void;
  };
  readonly nextCursor: string | undefined;
  /** Rows on this page. */
  readonly shown: number;
  /** Rows on all pages, where something counts them. */
  readonly total?: string | undefined;
  readonly sizeLabel: string;
  /** Actions on selected rows, in place of the count. */
  readonly selectionBar?: ReactNode;
}

/** Below the rows of a list: which they are, or what can be done with those that are selected, and the way to the others. */
export function ListFoot({ control, nextCursor, shown, total, sizeLabel, selectionBar }: ListFootProps) {
  const { state, pagesBefore } = control;
  const before = pagesBefore === undefined ? undefined : pagesBefore * state.limit;
  const isLast = nextCursor === undefined && before !== undefined;
  const known = total ?? (isLast ? (before + shown).toLocaleString() : undefined);
  return (
    <div className="list-foot" data-selecting={selectionBar === undefined ? undefined : true}>
      {selectionBar ?? (
        <span role="status">
          <b>{rangeText(before, shown)}</b>
          {known === undefined ? null : ` of ${known}`}
        </span>
      )}
      <PageSteps
        sizeLabel={sizeLabel}
        sizes={pageSizes}
        size={state.limit}
        onSize={(limit) => control.change({ limit })}
        openFirst={state.after === undefined ? undefined : control.openFirst}
        openPrevious={control.openPrevious}
        openNext={nextCursor === undefined ? undefined : () => control.openNext(nextCursor)}
      />
    </div>
  );
}
