import { ReferenceDrawer } from '../../reference/reference-drawer';
import { ItemForm, type ItemFormProps } from './item-form';

/** The form of an item; what its fields refer to opens in a drawer over it, with such a form again. */
export function ItemEditor(props: ItemFormProps) {
  return (
    <ItemForm
      {...props}
      renderDrawer={(level, onSaved) => (
        <ReferenceDrawer level={level} onSaved={onSaved} renderForm={(form) => <ItemEditor {...form} />} />
      )}
    />
  );
}
