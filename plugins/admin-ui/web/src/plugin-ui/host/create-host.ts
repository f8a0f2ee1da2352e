import type { PluginUiReport } from '@gantry/contracts';
import type { Host } from '@gantry/ui';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { request } from '../../api/request';
import { createItemsClient } from './items-client';
import { plainJson, type PayloadValue } from './values';

interface HostDependencies {
  readonly plugin: Pick<PluginUiReport, 'id' | 'displayName'>;
  readonly client: QueryClient;
  readonly navigate: (path: string) => void;
  readonly payloadValue: PayloadValue;
}

const colours = { success: 'green', warning: 'yellow', error: 'red' } as const;

/** What the module of one plugin is given. */
export function createHost({ plugin: { id, displayName }, client, navigate, payloadValue }: HostDependencies): Host {
  return Object.freeze<Host>({
    plugin: Object.freeze({ id, displayName }),
    items: Object.freeze(createItemsClient(client, payloadValue)),
    navigate,
    notify: (message, kind = 'success') => void notifications.show({ message, color: colours[kind] }),
    async request<T>(path: string, options = {}) {
      if (!/^\/(?!\/)/.test(path)) throw new Error(`"${path}" is no path of the platform; it has to begin with one /.`);
      return plainJson((await request(path, options)).data) as T;
    },
  });
}
