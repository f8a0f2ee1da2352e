import type { ModelInfo } from '@gantry/contracts';
import { Button, Menu } from '@mantine/core';
import { Link } from 'react-router-dom';
import { ChevronIcon, PlusIcon, TypeIcon } from '../ui/icons';

/** Creates an item of any type that the reader may create. */
export function NewMenu({ types }: { readonly types: readonly ModelInfo[] }) {
  if (types.length === 0) return null;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button leftSection={<PlusIcon size={16} />} rightSection={<ChevronIcon size={16} />}>
          New
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="home-new">
        {types.map(({ type, displayName, icon }) => (
          <Menu.Item
            key={type}
            component={Link}
            to={`/content/${type}/new`}
            leftSection={<TypeIcon path={icon} size={16} />}
          >
            {displayName}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
