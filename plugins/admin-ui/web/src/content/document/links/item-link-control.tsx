import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEditorState, type Editor } from '@tiptap/react';
import { useState } from 'react';
import type { Reference } from '../../../api/items';
import { itemLabel } from '../../../api/label';
import { itemQuery, typesQuery } from '../../../api/queries';
import { Dialog } from '../../../ui/dialog';
import { ReferenceSelect } from '../../reference/reference-select';
import { itemLinkName, itemLinkOf } from './item-link-attributes';
import { ToolbarButton } from '../toolbar-button';

interface ItemLinkControlProps {
  readonly editor: Editor;
  /** Type codes of the items that can be linked to. */
  readonly targets: readonly string[];
}

/** Sets, changes and removes the link to an item of what is selected. */
export function ItemLinkControl({ editor, targets }: ItemLinkControlProps) {
  const [isOpen, setIsOpen] = useState(false);
  const active = useEditorState({ editor, selector: () => editor.isActive(itemLinkName) });
  const { data: types = [] } = useQuery(typesQuery);
  const shown = types.filter(({ type }) => targets.includes(type));
  const close = (): void => setIsOpen(false);
  if (shown.length === 0) return null;
  return (
    <>
      <ToolbarButton name="itemLink" isActive={active} onClick={() => setIsOpen(true)} />
      <Dialog
        opened={isOpen}
        onClose={close}
        title="Link to item"
        returnFocus={false}
        onExitTransitionEnd={() => editor.commands.focus()}
      >
        <LinkChoice editor={editor} types={shown} isActive={active} onDone={close} />
      </Dialog>
    </>
  );
}

interface LinkChoiceProps {
  readonly editor: Editor;
  readonly types: readonly { readonly type: string; readonly displayName: string }[];
  readonly isActive: boolean;
  onDone(): void;
}

function LinkChoice({ editor, types, isActive, onDone }: LinkChoiceProps) {
  const linked = isActive ? itemLinkOf(editor.getAttributes(itemLinkName)) : undefined;
  const [type, setType] = useState(linked?.type ?? types[0]?.type ?? '');
  const item = useQuery({ ...itemQuery(linked?.type ?? '', linked?.id ?? ''), enabled: linked !== undefined });
  const isShown = linked?.type === type;
  const label = item.data === undefined ? `#${linked?.id}` : itemLabel(item.data);
  const remove = (): void => {
    editor.chain().extendMarkRange(itemLinkName).unsetMark(itemLinkName).run();
    onDone();
  };
  return (
    // As high as the choices, which are within it.
    <Stack mih={420}>
      {types.length > 1 ? (
        <NativeSelect
          label="Type"
          value={type}
          data={types.map((one) => ({ value: one.type, label: one.displayName }))}
          onChange={(event) => setType(event.currentTarget.value)}
        />
      ) : null}
      <ReferenceSelect
        key={type}
        label={types.find((one) => one.type === type)?.displayName ?? 'Item'}
        visibleLabel
        target={type}
        chosenText={isShown ? label : undefined}
        onChoose={(reference) => {
          setItemLink(editor, type, reference);
          onDone();
        }}
      />
      {linked === undefined ? null : (
        <Group justify="flex-end">
          <Button variant="default" onClick={remove}>
            Remove link
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Without a selection, the label of the item becomes the text. */
function setItemLink(editor: Editor, type: string, { id, label }: Reference): void {
  const chain = editor.chain();
  const attrs = { type, id };
  if (editor.state.selection.empty && !editor.isActive(itemLinkName)) {
    const text = label.replaceAll(/\s+/g, ' ').trim().slice(0, 200) || `#${id}`;
    chain.insertContent({ type: 'text', text, marks: [{ type: itemLinkName, attrs }] }).run();
  } else {
    chain.extendMarkRange(itemLinkName).setMark(itemLinkName, attrs).run();
  }
}
