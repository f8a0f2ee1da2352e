import { nameInSentence } from '../../name-in-sentence';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { itemQuery } from '../../../api/queries';
import { ErrorState, LoadingState } from '../../../ui/states';
import { useMetadata } from '../../content-layout';
import { may } from '../../../common/may';
import type { ItemMetadata } from '@gantry/contracts';
import type { Item } from '../../../api/items';
import { storedValues, type FormValues } from '../fields/form-values';
import { FormActions } from '../form-actions';
import { ItemEditor } from './item-editor';
import { ItemHead } from './item-head';
import type { SavedItem } from './item-form';
import { UnsavedScope } from '../unsaved-guard';
import { useLeaveKey } from '../use-leave-key';

/** Creates an item, empty or as a copy of another one (`?from=<id>`). */
export function NewItemPage() {
  const metadata = useMetadata();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const [round, setRound] = useState(0);
  /** Values that were typed while the previous item was being saved. */
  const [typed, setTyped] = useState<FormValues>();
  const from = parameters.get('from');
  const source = useQuery({ ...itemQuery(metadata.code, from ?? ''), enabled: from !== null });
  const list = `/content/${metadata.code}`;
  useLeaveKey(metadata.code);
  if (!may(metadata, 'create')) return <Navigate to={list} replace />;
  const open = ({ item, another, typed: rest }: SavedItem): void => {
    if (!another) return void navigate(`${list}/${item.id}`, { replace: true, state: { typed: rest } });
    setTyped(rest);
    setRound(round + 1);
    void navigate({ search: '' }, { replace: true });
  };
  const waiting = from !== null && source.data === undefined;
  const renderHead = (actions?: ReactNode): ReactNode => (
    <ItemHead
      title={`New ${nameInSentence(metadata.displayName)}`}
      description={from === null ? undefined : `A copy of ${from}`}
      actions={actions}
    />
  );
  return (
    <UnsavedScope>
      {waiting ? renderHead() : null}
      {waiting && source.error === null ? <LoadingState rows={6} /> : null}
      {waiting && source.error !== null ? (
        <ErrorState
          error={source.error}
          title="The item to copy could not be loaded"
          onRetry={() => void source.refetch()}
        />
      ) : null}
      {waiting ? null : (
        <ItemEditor
          key={`${from} ${round}`}
          metadata={metadata}
          initial={from === null || source.data === undefined ? typed : copiedValues(metadata, source.data)}
          renderHead={(actions) => renderHead(<FormActions {...actions} />)}
          onSaved={open}
        />
      )}
    </UnsavedScope>
  );
}

/** The values of a copy, without those that are made from other values: the copy gets another one. */
function copiedValues({ fields }: ItemMetadata, source: Item): FormValues {
  return storedValues(
    fields.filter(({ derivedFrom }) => derivedFrom === undefined),
    source,
  );
}
