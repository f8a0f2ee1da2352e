import './tokens.css';
import './fonts.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import './mantine.css';
import './library.css';
import './styles.css';
import './ui/page/page.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, type ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { createQueryClient } from './api/queries';
import { isSignedOut } from './api/platform/initial-data';
import { applyColourScheme } from './colour-scheme';
import { basePath } from './common/base-path';
import { createRouter, whenLoaded } from './router';
import { applyStyleNonce, styleNonce } from './style-nonce';
import { theme } from './theme';
import { lazyPart } from './ui/lazy-part';

/** A message that comes before they are loaded waits in the store of the library. */
const Messages = lazyPart(
  async () => (await import('./shell/messages')).Messages,
  () => true,
);

const look = { theme, defaultColorScheme: 'auto', getStyleNonce: styleNonce } as const;

applyStyleNonce();

const root = document.getElementById('root');
if (root !== null) void open(root);

async function open(element: HTMLElement): Promise<void> {
  applyColourScheme();
  const path = location.pathname.slice(basePath.length);
  if (isSignedOut || path === '/set-password' || path === '/signed-in') return openSignIn(element, path);
  const client = createQueryClient();
  const router = createRouter(client);
  await whenLoaded(router);
  createRoot(element).render(
    <StrictMode>
      <MantineProvider {...look}>
        <QueryClientProvider client={client}>
          <section aria-label="Messages">
            <Messages />
          </section>
          {/* A page that was asked for is more urgent than what else is going on: no transitions. */}
          <RouterProvider router={router} useTransitions={false} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

/** Without the router: nothing of the application is there before somebody has signed in. */
async function openSignIn(element: HTMLElement, path: string): Promise<void> {
  const Page = await loadSignInPage(path);
  createRoot(element).render(
    <StrictMode>
      <MantineProvider {...look}>
        <Page />
      </MantineProvider>
    </StrictMode>,
  );
}

async function loadSignInPage(path: string): Promise<ComponentType> {
  if (path === '/set-password') return (await import('./account/sign-in/set-password-page')).SetPasswordPage;
  return isSignedOut
    ? (await import('./account/sign-in/sign-in-page')).SignInPage
    : (await import('./account/sign-in/signed-in-page')).SignedInPage;
}
