import { Checkbox, Kbd, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { hasCharacterKeys, setCharacterKeys } from '../ui/keys/character-keys';
import { Dialog } from '../ui/dialog';

export interface HelpDialogProps {
  readonly opened: boolean;
  onClose(): void;
}

interface Shortcut {
  /** Pressed together; several lists are pressed one or the other. */
  readonly keys: readonly (readonly string[])[];
  readonly what: string;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
const control = isApple ? '⌘' : 'Ctrl';

const groups: readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: [[control, 'K']], what: 'Go to a page, or create or import items' },
      { keys: [['/']], what: 'Go to the search of a list, elsewhere to the search of everything' },
      { keys: [['?']], what: 'Show the keyboard shortcuts' },
      { keys: [['Esc']], what: 'Close the open dialog, drawer or menu' },
    ],
  },
  {
    title: 'In a list',
    shortcuts: [
      { keys: [['↓'], ['↑']], what: 'Move to the next row, or from the head to the rows' },
      { keys: [['←'], ['→']], what: 'Move to the next control of a row, or the next column of the head' },
      { keys: [['Enter']], what: 'Open the item; on the head: sort' },
      { keys: [['Space']], what: 'Select the row; with Shift, all rows since the last selected one' },
      { keys: [['D']], what: 'Duplicate the item of the row' },
      { keys: [['L']], what: 'Copy the link to the item of the row' },
      {
        keys: [
          ['Shift', '←'],
          ['Shift', '→'],
        ],
        what: 'On the head: make the column narrower or wider',
      },
    ],
  },
  {
    title: 'In a form',
    shortcuts: [
      { keys: [[control, 'S']], what: 'Save' },
      { keys: [['Esc']], what: 'Outside an input: back to the list' },
      { keys: [['↓'], ['↑']], what: 'In a picker: move through the results' },
      { keys: [['Enter']], what: 'In a picker: choose the result' },
    ],
  },
];

/** All keys that the pages know. */
export function HelpDialog({ opened, onClose }: HelpDialogProps) {
  const [isOn, setOn] = useState(hasCharacterKeys);
  return (
    <Dialog opened={opened} onClose={onClose} title="Keyboard shortcuts" zIndex={500}>
      {groups.map(({ title, shortcuts }) => (
        <Table key={title} mb="md" verticalSpacing={6} withRowBorders={false} captionSide="top">
          <Table.Caption>{title}</Table.Caption>
          <Table.Tbody>
            {shortcuts.map(({ keys, what }) => (
              <Table.Tr key={what}>
                <Table.Th scope="row" w={110} fw={400}>
                  {keys.map((chord, index) => (
                    <span key={chord.join('+')} className="no-wrap">
                      {index === 0 ? '' : ' '}
                      {chord.map((key, position) => (
                        <span key={key}>
                          {position === 0 ? '' : ' + '}
                          <Kbd>{key}</Kbd>
                        </span>
                      ))}
                    </span>
                  ))}
                </Table.Th>
                <Table.Td>
                  <Text size="sm">{what}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ))}
      <Checkbox
        label="Single-character shortcuts (/ ? D L)"
        description="Switch them off for speech input. The setting applies to this browser."
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => {
          setCharacterKeys(checked);
          setOn(hasCharacterKeys());
        }}
      />
    </Dialog>
  );
}
