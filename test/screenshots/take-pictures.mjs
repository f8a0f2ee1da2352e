import { looks, openAlbum } from './album.mjs';
import { groups } from './pictures.mjs';

/**
 * Takes all pictures, of each page in each look.
 * @param onPicture is given the name and the PNG of each one
 * @param isWanted whether the pictures of a page of this name are taken; all by default
 * @returns the bytes of style sheets that each page loads, by its name
 */
export async function takePictures(onPicture, isWanted = () => true) {
  const album = await openAlbum();
  const styles = new Map();
  try {
    let content = {};
    for (const { create, pages, others = [] } of groups) {
      content = { ...content, ...(await create(album, content)) };
      for (const picture of [...pages, ...others]) {
        // All are opened, for the size of their styles.
        const page = await album.open(picture, content);
        const { name } = picture;
        styles.set(name, await page.styles());
        await takeOne(page, name, isWanted(name) && pages.includes(picture) ? onPicture : undefined);
      }
    }
  } finally {
    await album.close();
  }
  return styles;
}

async function takeOne(page, name, onPicture) {
  if (onPicture !== undefined) for (const look of looks) await onPicture(name + look.suffix, await page.take(look));
  await page.close();
}
