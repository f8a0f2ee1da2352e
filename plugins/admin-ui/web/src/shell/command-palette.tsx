import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { typesQuery } from '../api/queries';
import { pageEntries } from '../plugin-ui/page-entries';
import { usePluginUis } from '../plugin-ui/plugin-uis';
import { InfoIcon, MoonIcon, PlusIcon, SearchIcon, SunIcon, TableIcon, UploadIcon } from '../ui/icons';
import { fixedEntries } from './navigation-sections';

/** Opens any page by its name, and begins what can be done anywhere: Ctrl+K (or Command+K). */
export function CommandPalette({ onHelp }: { onHelp(): void }) {
  const { data: types = [] } = useQuery(typesQuery);
  const pages = pageEntries(usePluginUis());
  const navigate = useNavigate();
  const colours = useOtherColours();
  const written = types.filter(({ readOnly }) => !readOnly);
  const groups: SpotlightActionGroupData[] = [
    {
      group: 'Pages',
      actions: [
        ...[...fixedEntries, ...pages].map(({ label, to, icon }) => ({
          id: to,
          label,
          leftSection: icon,
          onClick: () => void navigate(to),
        })),
        ...types.map(({ type, displayNamePlural, pluginName }) => ({
          id: `list ${type}`,
          label: displayNamePlural,
          description: pluginName,
          leftSection: <TableIcon />,
          onClick: () => void navigate(`/content/${type}`),
        })),
      ],
    },
    {
      group: 'Create',
      actions: written.map(({ type, displayName }) => ({
        id: `new ${type}`,
        label: `New ${displayName}`,
        leftSection: <PlusIcon />,
        onClick: () => void navigate(`/content/${type}/new`),
      })),
    },
    {
      group: 'Import',
      actions: written.map(({ type, displayNamePlural }) => ({
        id: `import ${type}`,
        label: `Import ${displayNamePlural}`,
        leftSection: <UploadIcon />,
        onClick: () => void navigate(`/content/${type}/import`),
      })),
    },
    {
      group: 'Help',
      actions: [
        { id: 'help', label: 'Keyboard shortcuts', leftSection: <InfoIcon />, onClick: onHelp },
        {
          id: 'api',
          label: 'API documentation',
          description: '/api/docs',
          leftSection: <InfoIcon />,
          onClick: () => window.location.assign('/api/docs'),
        },
        { id: 'colours', label: colours.label, leftSection: colours.icon, onClick: colours.change },
      ],
    },
  ];
  return (
    <Spotlight
      actions={groups}
      limit={12}
      highlightQuery
      // Also from within an input.
      tagsToIgnore={[]}
      scrollable
      attributes={{ content: { 'aria-label': 'Go to' } }}
      maxHeight={420}
      nothingFound="No results"
      searchProps={{
        placeholder: 'Go to a page, create or import items',
        'aria-label': 'Go to',
        leftSection: <SearchIcon />,
      }}
    />
  );
}

function useOtherColours() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  return {
    label: dark ? 'Use light colours' : 'Use dark colours',
    icon: dark ? <SunIcon /> : <MoonIcon />,
    change: () => setColorScheme(dark ? 'light' : 'dark'),
  };
}
