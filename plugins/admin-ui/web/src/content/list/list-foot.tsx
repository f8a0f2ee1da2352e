import type { ItemMetadata } from '@gantry/contracts';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../../api/items';
import { listQuery } from '../../api/queries';
import { pageSizes } from '../../ui/page/page-sizes';
import { PageSteps } from '../../ui/page/page-steps';
import { ChangedCount } from '../live/changed-count';
import { ShownCount } from './shown-count';
import type { ShownList } from './use-shown-list';
import type { Total } from './use-total';

export interface ListFootProps {
  readonly metadata: ItemMetadata;
  readonly list: ShownList;
  readonly page: Page;
  /** The page is the one before: its end is not where the next page begins. */
  readonly stale: boolean;
  readonly total: Total;
  /** Selection in words; undefined without a selection. */
  readonly selected: string | undefined;
  /** Actions on the selection, in place of the count. */
  readonly selectionBar: ReactNode;
}

/** Below the items: how many there are, or what can be done with those that are selected, and the way to the others. */
export function ListFoot({ metadata, list, page, stale, total, selected, selectionBar }: ListFootProps) {
  const client = useQueryClient();
  const type = metadata.code;
  const { control, request } = list;
  const cursor = stale ? undefined : page.nextCursor;
  return (
    <div className="list-foot" data-selecting={selected === undefined ? undefined : true}>
      <span role="status" className="visually-hidden">
        {selected}
      </span>
      {selected === undefined ? (
        <>
          <ShownCount type={type} before={control.before} shown={page.items.length} total={total} />
          <ChangedCount metadata={metadata} request={request} />
        </>
      ) : (
        selectionBar
      )}
      <PageSteps
        sizeLabel="Items per page"
        sizes={pageSizes}
        size={control.state.limit}
        onSize={(limit) => control.change({ limit })}
        openFirst={control.state.after === undefined ? undefined : control.openFirst}
        openPrevious={control.openPrevious}
        openNext={cursor === undefined ? undefined : () => control.openNext(cursor)}
        onExpectNext={() => {
          if (cursor !== undefined) client.query(listQuery(type, { ...request, after: cursor })).catch(() => undefined);
        }}
      />
    </div>
  );
}
