import { lazyView } from '../kinds/lazy-view';

/** Addresses of files, of any field kind whose metadata says where they are uploaded. */
export const fileView = lazyView(async () => (await import('../kinds/further-views')).fileView);
