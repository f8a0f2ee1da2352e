import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { typesQuery } from '../api/queries';
import { pageEntries } from '../plugin-ui/page-entries';
import { usePluginUis } from '../plugin-ui/plugin-uis';
import { PlusIcon, SearchIcon, TableIcon } from '../ui/icons';
import { sections } from './sections';

/** Opens any page by its name: Ctrl+K (or Command+K). */
export function CommandPalette() {
  const { data: types = [] } = useQuery(typesQuery);
  const pages = pageEntries(usePluginUis());
  const navigate = useNavigate();
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Pages',
      actions: [
        ...[...sections, ...pages].map(({ label, to, icon }) => ({
          id: to,
          label,
          leftSection: icon,
          onClick: () => void navigate(to),
        })),
        ...types.map(({ type, displayName, plugin }) => ({
          id: `list ${type}`,
          label: displayName,
          description: plugin,
          leftSection: <TableIcon />,
          onClick: () => void navigate(`/content/${type}`),
        })),
      ],
    },
    {
      group: 'Create',
      actions: types
        .filter(({ readOnly }) => !readOnly)
        .map(({ type, displayName }) => ({
          id: `new ${type}`,
          label: `New ${displayName}`,
          leftSection: <PlusIcon />,
          onClick: () => void navigate(`/content/${type}/new`),
        })),
    },
  ];
  return (
    <Spotlight
      actions={groups}
      limit={12}
      highlightQuery
      scrollable
      maxHeight={420}
      nothingFound="Nothing has this name."
      searchProps={{
        placeholder: 'Go to a page or create an item',
        'aria-label': 'Go to',
        leftSection: <SearchIcon />,
      }}
    />
  );
}
