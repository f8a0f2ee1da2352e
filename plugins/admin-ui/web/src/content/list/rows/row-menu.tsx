import { Kbd, Loader, Menu } from '@mantine/core';
import type { FormField } from '@gantry/contracts';
import { useRef, useState, type RefObject } from 'react';
import { Link } from 'react-router-dom';
import type { Item } from '../../../api/items';
import { ItemActionEntries, useItemActions } from '../../../plugin-ui/item-actions';
import { hasCharacterKeys } from '../../../ui/keys/character-keys';
import { copyLink } from '../../../ui/page/copy-link';
import { CopyIcon, EditIcon, LinkIcon, TrashIcon } from '../../../ui/icons';
import { MenuButton, useLateMenu } from '../../../ui/late-menu';

export interface RowMenuProps {
  readonly type: string;
  readonly item: Item;
  /** Names the item for those who cannot see beside what the button is. */
  readonly label: string;
  readonly mayUpdate: boolean;
  readonly mayCreate: boolean;
  readonly mayDelete: boolean;
  /** Fields whose cells in sight can be edited. */
  readonly editable: readonly Pick<FormField, 'name' | 'displayName'>[];
  onEdit(field: string): void;
  onDelete(item: Item): void;
}

/** Everything that can be done with the item of a row. */
export function RowMenu(props: RowMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (isWanted) return <OpenedMenu {...props} button={button} />;
  return <MenuButton label={props.label} onClick={() => setWanted(true)} />;
}

/** The key that does the same in the row; not while such keys are switched off. */
function Letter({ text }: { readonly text: string }) {
  return hasCharacterKeys() ? <Kbd aria-hidden="true">{text}</Kbd> : null;
}

function OpenedMenu({
  type,
  item,
  label,
  mayUpdate,
  mayCreate,
  mayDelete,
  editable,
  button,
  onEdit,
  onDelete,
}: RowMenuProps & { readonly button: RefObject<HTMLButtonElement | null> }) {
  const menu = useLateMenu(button);
  const { actions, running, run } = useItemActions({ type, item });
  const address = `/content/${type}/${item.id}`;
  return (
    <Menu {...menu}>
      <Menu.Target>
        <MenuButton label={label} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={address} leftSection={<EditIcon size={16} />}>
          {mayUpdate ? 'Edit' : 'Open'}
        </Menu.Item>
        {!mayCreate ? null : (
          <Menu.Item
            component={Link}
            to={`/content/${type}/new?from=${item.id}`}
            leftSection={<CopyIcon size={16} />}
            rightSection={<Letter text="D" />}
          >
            Duplicate
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<LinkIcon size={16} />}
          rightSection={<Letter text="L" />}
          onClick={() => copyLink(address)}
        >
          Copy link
        </Menu.Item>
        {editable.length === 0 ? null : <Menu.Divider />}
        {editable.map(({ name, displayName }) => (
          <Menu.Item key={name} leftSection={<EditIcon size={16} />} onClick={() => onEdit(name)}>
            Edit {displayName} …
          </Menu.Item>
        ))}
        {actions.length === 0 ? null : <Menu.Divider />}
        <ItemActionEntries actions={actions} run={run} />
        {!mayDelete ? null : (
          <>
            <Menu.Divider />
            <Menu.Item
              leftSection={<TrashIcon size={16} />}
              onClick={() => {
                // The entry goes; the dialog gives the focus back to what has it when it opens.
                button.current?.focus();
                onDelete(item);
              }}
            >
              Delete …
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
      {running ? <Loader size="xs" aria-label="The action is running" role="status" /> : null}
    </Menu>
  );
}
