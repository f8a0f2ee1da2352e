import { looks, openAlbum } from './album.mjs';
import { groups } from './pictures.mjs';

/**
 * Takes all pictures, of each page in each look.
 * @param onPicture is given the name and the PNG of each one
 * @param isWanted whether the pictures of a page of this name are taken; all by default
 */
export async function takePictures(onPicture, isWanted = () => true) {
  const album = await openAlbum();
  try {
    for (const { create, pages } of groups) {
      const content = await create(album);
      for (const picture of pages) {
        // All are opened: the page of the users signs in for those after it.
        await takeOne(await album.open(picture, content), picture.name, isWanted(picture.name) ? onPicture : undefined);
      }
    }
  } finally {
    await album.close();
  }
}

async function takeOne(page, name, onPicture) {
  if (onPicture !== undefined) for (const look of looks) await onPicture(name + look.suffix, await page.take(look));
  await page.close();
}
