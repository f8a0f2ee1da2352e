import type { FormField, ItemMetadata } from '@gantry/contracts';
import { useEffect, useState } from 'react';
import { controlId } from './field-control';
import { isOutOfSight } from './form-fields';
import { tabsOf, type FormTab } from './form-sections';
import { shownFields, type useItemForm } from '../use-item-form';

/** Which tab of a form is open, and how the focus gets to a field in any of them. */
export function useTabs(metadata: ItemMetadata, form: ReturnType<typeof useItemForm>, level: number) {
  const problems = form.problems.fields;
  const all = tabsOf(shownFields(form, metadata));
  const [chosen, setOpen] = useState<string>();
  const [focused, setFocused] = useState<{ readonly field: FormField }>();
  const [seen, setSeen] = useState(problems);
  const isInSight = ({ fields }: FormTab): boolean => fields.some((field) => !isOutOfSight(field, '', form));
  const shown = all.filter(isInSight);
  const open = (shown.find(({ name }) => name === chosen) ?? shown[0])?.name;
  const show = (field: FormField): void => {
    if (field.tab !== undefined) setOpen(field.tab);
    setFocused({ field });
  };
  if (seen !== problems) {
    setSeen(problems);
    const wrong = metadata.fields.find(({ name }) => problems[name] !== undefined);
    if (wrong !== undefined) show(wrong);
  }
  // Once its tab is open.
  useEffect(() => {
    if (focused !== undefined) document.getElementById(controlId(focused.field, level))?.focus();
  }, [focused, level]);
  return { all, open, setOpen, show };
}
