import type { FormField } from '@gantry/contracts';
import { useContext } from 'react';
import { FieldSlot } from '../../../plugin-ui/field-slot';
import { PartControlProvider } from '../../../plugin-ui/part-control';
import type { ControlProps } from '../../kinds/field-view';
import { viewOfField } from '../../kinds/views';
import { DrawerLevel } from '../../reference/drawers';

/** The id of a field's control in the page; forms in drawers have fields of the same names. */
export function controlId(field: Pick<FormField, 'name'>, level = 0): string {
  return level === 0 ? `field-${field.name}` : `field-${level}-${field.name}`;
}

/** The control of a field: one that a plugin brings, otherwise the built-in one. `type` is the item type's code. */
export function FieldControl({ type, ...props }: Omit<ControlProps, 'id'> & { readonly type: string }) {
  const id = controlId(props.field, useContext(DrawerLevel));
  return (
    <PartControlProvider value={renderPart}>
      <FieldSlot id={id} type={type} {...props}>
        <BuiltInControl id={id} {...props} />
      </FieldSlot>
    </PartControlProvider>
  );
}

/** The control of a part of a value. A plugin can claim it by the type of the part, not by its name, which is no field of an item type. */
function renderPart(props: ControlProps) {
  return (
    <FieldSlot type="" {...props}>
      <BuiltInControl {...props} />
    </FieldSlot>
  );
}

/** A choice where the field has options, else the control of the field's type (specification, section 4.5). */
function BuiltInControl(props: ControlProps) {
  const { Control } = viewOfField(props.field);
  return <Control {...props} />;
}
