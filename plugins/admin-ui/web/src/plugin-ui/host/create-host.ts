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

/** Host object that the module of one plugin gets. */
export function createHost({ plugin: { id, displayName }, client, navigate, payloadValue }: HostDependencies): Host {
  return Object.freeze<Host>({
    plugin: Object.freeze({ id, displayName }),
    items: Object.freeze(createItemsClient(client, payloadValue)),
    navigate,
    notify: (message, kind = 'success') => void notifications.show({ message, color: colours[kind] }),
    async request<T>(path: string, options = {}) {
      if (!/^\/(?!\/)/.test(path)) {
        throw new Error(`"${path}" is not a path of the platform: it must begin with one /.`);
      }
      return plainJson((await request(path, options)).data) as T;
    },
  });
}
