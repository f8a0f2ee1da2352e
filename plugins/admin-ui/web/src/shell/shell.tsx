import './shell.css';
import { Burger, Kbd, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { openSpotlight } from '@mantine/spotlight';
import { useEffect, useRef, useLayoutEffect } from 'react';
import { Link, Outlet, useLocation } from 'react-router-dom';
import { AccountMenu } from '../account/account-menu';
import { PresenceDialog } from '../account/own/presence-dialog';
import { SessionEnded } from '../account/sign-in/session-ended';
import { pageCaller } from '../api/platform/initial-data';
import type { UndoDialogProps } from '../content/undo/undo-dialog';
import { useRequestedUndo } from '../content/undo/undo-store';
import { CloseIcon, icon, MoonIcon, SearchIcon, SunIcon } from '../ui/icons';
import { Mark } from '../ui/mark';
import { IconButton } from '../ui/page/link-button';
import { PluginUiProvider, useRetry, useTroubles, useUiStore } from '../plugin-ui/ui-context';
import type { UiStore, Trouble } from '../plugin-ui/ui-store';
import { FollowChanges } from '../plugins/change/follow-changes';
import { lazyPart } from '../ui/lazy-part';
import type { HelpDialogProps } from './help-dialog';
import { Navigation } from './navigation';
import { useCharacterKey } from '../ui/keys/use-character-key';
import { useCoveringNavigation } from './use-covering-navigation';
import { ErrorState } from '../ui/states';

const HelpIcon = icon(
  <path d="M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.2" />,
);

/** Loaded as soon as the first page is drawn; what opens it works before. */
const CommandPalette = lazyPart(
  async () => (await import('./palette/command-palette')).CommandPalette,
  () => true,
);

const HelpDialog = lazyPart<HelpDialogProps>(
  async () => (await import('./help-dialog')).HelpDialog,
  ({ opened }) => opened,
);

/** Once the page is drawn. */
const LiveChanges = lazyPart(
  async () => (await import('./live-changes')).LiveChanges,
  () => false,
);

const UndoDialog = lazyPart<UndoDialogProps>(
  async () => (await import('../content/undo/undo-dialog')).UndoDialog,
  ({ requested }) => requested !== undefined,
);

const ViewedAs = lazyPart(
  async () => (await import('../account/viewed-as')).ViewedAs,
  () => pageCaller?.viewsAs !== undefined,
);

/**
 * The frame of every page: header, navigation, command palette.
 * @param uis the modules of plugins
 */
export function Shell({ uis }: { readonly uis: UiStore }) {
  const [opened, { toggle, close }] = useDisclosure(false);
  const button = useRef<HTMLButtonElement>(null);
  useCoveringNavigation({ opened, button, close });
  const [help, { open: openHelp, close: closeHelp }] = useDisclosure(false);
  useSearchKey();
  useCharacterKey('?', openHelp);
  // Also from within an input.
  useHotkeys([['mod + K', openSpotlight]], [], true);
  return (
    <div className="shell">
      <CloseOnNavigation onNavigation={close} />
      <FollowChanges />
      <LiveChanges />
      <SessionEnded />
      <PresenceDialog />
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="shell-header">
        <Burger
          ref={button}
          opened={opened}
          onClick={toggle}
          size="sm"
          aria-label="Navigation"
          aria-expanded={opened}
        />
        <Brand />
        <IconButton label="Go to …" size="lg" onClick={openSpotlight}>
          <SearchIcon />
        </IconButton>
      </header>
      <div className="shell-scrim" data-opened={opened || undefined} />
      <section aria-label="Menu" className="shell-navigation" data-opened={opened || undefined}>
        <div className="shell-brand">
          <Brand />
          <IconButton label="Keyboard shortcuts" className="shell-help" onClick={openHelp}>
            <HelpIcon />
          </IconButton>
          <ColourSchemeButton />
          <IconButton label="Close the navigation" size="lg" className="shell-close" onClick={close}>
            <CloseIcon />
          </IconButton>
        </div>
        <button type="button" className="shell-search" onClick={openSpotlight}>
          <SearchIcon size={16} />
          <span className="clipped">Search or go to …</span>
          <Kbd>Ctrl K</Kbd>
        </button>
        <Navigation />
        <div className="shell-foot">
          {pageCaller?.viewsAs === undefined ? null : <ViewedAs />}
          <AccountMenu />
        </div>
      </section>
      <main id="main" tabIndex={-1} className="shell-main quiet-focus">
        <div className="page-grid">
          <PluginUiProvider store={uis}>
            <PluginTroubles />
            <Outlet />
          </PluginUiProvider>
        </div>
      </main>
      <CommandPalette onHelp={openHelp} />
      <HelpDialog opened={help} onClose={closeHelp} />
      <UndoDialog requested={useRequestedUndo()} />
    </div>
  );
}

/** On its own, so that another address does not render the frame again. */
function CloseOnNavigation({ onNavigation }: { onNavigation(): void }) {
  const { pathname } = useLocation();
  useEffect(() => onNavigation(), [pathname, onNavigation]);
  return null;
}

function Brand() {
  return (
    <Link to="/" className="shell-name">
      <Mark />
      Gantry
    </Link>
  );
}

function ColourSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const label = dark ? 'Use light colours' : 'Use dark colours';
  return (
    <IconButton label={label} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
      {dark ? <SunIcon /> : <MoonIcon />}
    </IconButton>
  );
}

/** `/` goes to the search of a list, and elsewhere to the palette. */
function useSearchKey(): void {
  useCharacterKey('/', () => {
    if (document.querySelector('main [role="search"], [role="dialog"]') === null) openSpotlight();
  });
}

/** Names the plugins of which a part was left out where there is no room to say so. */
function PluginTroubles() {
  const store = useUiStore();
  const { pathname } = useLocation();
  // Parts that the next page omits in its first rendering are reported after this has run.
  useLayoutEffect(() => () => store.beginPage(), [store, pathname]);
  return useTroubles().map((trouble) => <OneTrouble key={trouble.plugin.id} trouble={trouble} />);
}

function OneTrouble({ trouble: { plugin, failure } }: { readonly trouble: Trouble }) {
  return (
    <ErrorState
      title={`Additions of ${plugin.displayName} to this page failed`}
      error={failure}
      onRetry={useRetry(plugin)}
    />
  );
}
