import { mkdir } from 'node:fs/promises';
import type { PluginDefinition, RawHandler, ServiceContext } from '@gantry/plugin-api';
import sharp from 'sharp';
import type { MediaConfig } from './config';
import { foldersIn, removeAbandoned, tagAsCache, type Folders } from './files';
import { createImageStore, imageStore, type ImageStoreDependencies } from './images/image-store';
import { logCauses } from './log-causes';
import { createImageHandler } from './images/serve-image';
import { createBucketStorage } from './storage/bucket-storage';
import { createRecentUploads } from './uploads/recent-uploads';
import { createFolderStorage } from './storage/folder-storage';
import type { ImageStorage } from './storage/image-storage';
import { createFileStore, fileStore, type FileStoreDependencies } from './stored-files/file-store';
import { fileUploadRoute } from './stored-files/file-upload-route';
import { createFileHandler, isFilePath } from './stored-files/serve-file';
import { uploadRoute } from './uploads/upload-route';
import { createVariants, type Variants } from './images/variants';
import { createWorkQueue } from './work-queue';

type Dependencies = ImageStoreDependencies & FileStoreDependencies & { readonly variants: Variants };

/** Images unpacked at a time, and those that may wait for it. */
const places = 2;
const waiting = 200;

/** The work of the plugin with the storage that its configuration names. */
export function createMedia(): Pick<PluginDefinition, 'register' | 'start' | 'health'> {
  let dependencies: Dependencies | undefined;
  const started = (): Dependencies => {
    // The host serves no route of a plugin before its start.
    if (dependencies === undefined) throw new Error('The plugin media is not running.');
    return dependencies;
  };
  return {
    register(context) {
      const { router, logger, services } = context;
      const images = createImageStore(started, logger);
      const uploads = createRecentUploads();
      const files = createFileStore(started, logger);
      services.provide(imageStore, images);
      services.provide(fileStore, files);
      const { maxBytes, maxFileBytes } = configOf(context);
      router.add(uploadRoute(images, uploads, maxBytes), fileUploadRoute(files, uploads, maxFileBytes));
      const serveImage = createImageHandler(started, uploads);
      const serveFile = createFileHandler(files, uploads);
      const serve: RawHandler = (request, response, path, given) =>
        (isFilePath(path) ? serveFile : serveImage)(request, response, path, given);
      router.mount('/media', logCauses(logger, serve), { access: 'items' });
    },
    async start(context) {
      dependencies = await createDependencies(configOf(context), foldersIn(context.dataFolder), context.now());
      const { storage } = dependencies;
      await storage.assertReachable().catch((error: unknown) => {
        context.logger.warn({ err: error }, `images cannot be stored now: ${storage.title} does not answer`);
      });
    },
    async health() {
      try {
        await started().storage.assertReachable();
        return { status: 'up' };
      } catch (error) {
        return { status: 'degraded', message: error instanceof Error ? error.message : 'The cause is unknown.' };
      }
    },
  };
}

async function createDependencies(config: MediaConfig, folders: Folders, now: Date): Promise<Dependencies> {
  await Promise.all(Object.values<string>({ ...folders }).map((folder) => mkdir(folder, { recursive: true })));
  await tagAsCache(folders.variants);
  await removeAbandoned(folders, now);
  // No image is worked on twice in a row, so that the library's cache would only hold memory and open files.
  sharp.cache(false);
  const storage = await openStorage(config, folders);
  const common = { ...config, storage, folders, queue: createWorkQueue(places, waiting) };
  return { ...common, variants: createVariants(common) };
}

function openStorage({ bucket }: MediaConfig, { originals }: Folders): Promise<ImageStorage> | ImageStorage {
  return bucket === undefined ? createFolderStorage(originals) : createBucketStorage(bucket);
}

/** The host hands back what `config` gave. */
function configOf({ config }: ServiceContext): MediaConfig {
  return config as unknown as MediaConfig;
}
