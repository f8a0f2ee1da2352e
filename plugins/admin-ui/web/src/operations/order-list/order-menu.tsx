import { Menu } from '@mantine/core';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { copyLink } from '../../ui/page/copy-link';
import { FlowIcon, InboxIcon, LinkIcon } from '../../ui/icons';
import { MenuButton, useLateMenu } from '../../ui/late-menu';
import { orderAddress, technicalAddress } from '../api/addresses';

interface OrderMenuProps {
  readonly orderId: string;
}

/** Links of a row of the list, beside the next action. */
export function OrderMenu({ orderId }: OrderMenuProps) {
  const [isWanted, setWanted] = useState(false);
  return isWanted ? <OpenedMenu orderId={orderId} /> : <MenuButton label={orderId} onClick={() => setWanted(true)} />;
}

function OpenedMenu({ orderId }: OrderMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const menu = useLateMenu(button);
  return (
    <Menu {...menu}>
      <Menu.Target>
        <MenuButton label={orderId} ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={orderAddress(orderId)} leftSection={<InboxIcon size={16} />}>
          Open the order
        </Menu.Item>
        <Menu.Item component={Link} to={technicalAddress(orderId)} leftSection={<FlowIcon size={16} />}>
          Open its workflow
        </Menu.Item>
        <Menu.Item leftSection={<LinkIcon size={16} />} onClick={() => copyLink(orderAddress(orderId))}>
          Copy link
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
