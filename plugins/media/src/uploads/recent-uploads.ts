import type { Caller } from '@gantry/plugin-api';
import { uploadPermission } from './upload-permission';

/**
 * Who has uploaded which image in this process. A user may see what the user has sent, also where an item that is hidden from the
 * user has the same image: the form shows it before its item is saved.
 */
export interface RecentUploads {
  add(caller: Caller, url: string): void;
  has(caller: Caller | undefined, url: string): boolean;
}

const keptMs = 60 * 60 * 1000;
const maxKept = 10_000;

export function createRecentUploads(now: () => number = () => performance.now()): RecentUploads {
  const uploadedAt = new Map<string, number>();
  return {
    add({ id }, url) {
      const key = `${id} ${url}`;
      uploadedAt.delete(key);
      uploadedAt.set(key, now());
      const [oldest] = uploadedAt.size > maxKept ? uploadedAt.keys() : [];
      if (oldest !== undefined) uploadedAt.delete(oldest);
    },
    has(caller, url) {
      // Who tries out roles sees what these show.
      if (caller?.permissions.includes(uploadPermission) !== true || caller.viewsAs !== undefined) return false;
      const at = uploadedAt.get(`${caller.id} ${url}`);
      return at !== undefined && now() - at < keptMs;
    },
  };
}
