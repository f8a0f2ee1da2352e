import {
  ActionIcon,
  Anchor,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { openSpotlight } from '@mantine/spotlight';
import { useEffect } from 'react';
import { Link, Outlet, useLocation } from 'react-router-dom';
import { MoonIcon, SearchIcon, SunIcon } from '../ui/icons';
import { PluginTroubles } from '../plugin-ui/plugin-troubles';
import { PluginUiProvider } from '../plugin-ui/ui-context';
import { CommandPalette } from './command-palette';
import { Navigation } from './navigation';

/** What stands around every page: header, navigation, command palette. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  useEffect(() => close(), [pathname, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 264, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
      transitionDuration={0}
    >
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label="Navigation"
            aria-expanded={opened}
          />
          <Anchor component={Link} to="/" underline="never" c="inherit" fw={700} size="lg">
            Gantry
          </Anchor>
          <Group ml="auto" gap="xs" wrap="nowrap">
            <PaletteButton />
            <ColourSchemeButton />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className="quiet-focus">
        <PluginUiProvider>
          <PluginTroubles />
          <Outlet />
        </PluginUiProvider>
      </AppShell.Main>
      <CommandPalette />
    </AppShell>
  );
}

function PaletteButton() {
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<SearchIcon size={14} />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={openSpotlight}
        visibleFrom="sm"
      >
        <Text size="sm">Go to …</Text>
      </Button>
      <ActionIcon variant="default" size="lg" aria-label="Go to …" onClick={openSpotlight} hiddenFrom="sm">
        <SearchIcon />
      </ActionIcon>
    </>
  );
}

function ColourSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const label = dark ? 'Use light colours' : 'Use dark colours';
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(dark ? 'light' : 'dark')}
      >
        {dark ? <SunIcon /> : <MoonIcon />}
      </ActionIcon>
    </Tooltip>
  );
}
