import { Button, Group, Popover, TextInput } from '@mantine/core';
import { useEditorState, type Editor } from '@tiptap/react';
import { useState, type KeyboardEvent } from 'react';
import { safeAddress } from './safe-address';
import { ToolbarButton } from '../toolbar-button';

/** Sets, changes and removes the link of what is selected. */
export function LinkControl({ editor }: { readonly editor: Editor }) {
  const [address, setAddress] = useState<string>();
  const [isRefused, setIsRefused] = useState(false);
  const active = useEditorState({ editor, selector: () => editor.isActive('link') });
  const close = (): void => {
    setAddress(undefined);
    setIsRefused(false);
  };
  const set = (): void => {
    const href = completed(address ?? '');
    if (href === undefined) return setIsRefused(true);
    close();
    setLink(editor, href);
  };
  const remove = (): void => {
    close();
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    // The form around it would be sent.
    event.preventDefault();
    set();
  };
  return (
    <Popover opened={address !== undefined} onChange={(opened) => !opened && close()} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ToolbarButton
          name="link"
          isActive={active}
          onClick={() => setAddress(String(editor.getAttributes('link')['href'] ?? ''))}
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Link">
        <TextInput
          label="Address"
          placeholder="https://example.org/page"
          inputMode="url"
          autoComplete="off"
          value={address ?? ''}
          error={isRefused ? 'Enter an address with http, https or mailto.' : undefined}
          onChange={(event) => setAddress(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Group justify="flex-end" gap="xs" mt="sm">
          {active ? (
            <Button size="xs" variant="default" onClick={remove}>
              Remove link
            </Button>
          ) : null}
          <Button size="xs" onClick={set}>
            Set link
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Without a selection, the address itself becomes the text. */
function setLink(editor: Editor, href: string): void {
  const chain = editor.chain().focus();
  if (editor.state.selection.empty && !editor.isActive('link')) {
    chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
  } else {
    chain.extendMarkRange('link').setLink({ href }).run();
  }
}

/** Adds the protocol that people leave out of an address. */
function completed(text: string): string | undefined {
  const address = text.trim();
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(address)) return safeAddress(`mailto:${address}`);
  return safeAddress(/^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`);
}
