import { lazyView } from '../kinds/lazy-view';
import { fieldView as textView } from '../kinds/text/view';

/** Points of images, of any field kind whose metadata has `focalPoint`. */
export const focalPointView = lazyView(async () => {
  const { FocalPointControl, LockedFocalPoint } = await import('../kinds/further-views');
  return { ...textView, Control: FocalPointControl, Locked: LockedFocalPoint };
});
