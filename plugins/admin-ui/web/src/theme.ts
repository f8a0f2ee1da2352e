import {
  createTheme,
  defaultVariantColorsResolver,
  Input,
  Notification,
  type VariantColorResolverResult,
  type VariantColorsResolver,
} from '@mantine/core';

/** The library works out the colours of a button with every drawing of it; there are only few, and the theme never changes. */
const colours = new Map<string, VariantColorResolverResult>();
const variantColorResolver: VariantColorsResolver = (input) => {
  const key = JSON.stringify([input.color, input.variant, input.gradient, input.autoContrast]);
  const known = colours.get(key) ?? withReadableHover(defaultVariantColorsResolver(input));
  colours.set(key, known);
  return known;
};

/** On light pages, what the library darkens under the pointer leaves too little contrast to its coloured text. */
function withReadableHover(result: VariantColorResolverResult): VariantColorResolverResult {
  const colour = /^var\(--mantine-color-(\w+)-light-hover\)$/.exec(result.hover)?.[1];
  if (colour === undefined || colour === 'gray') return result;
  return { ...result, hover: `light-dark(var(--mantine-color-${colour}-0), ${result.hover})` };
}

/** Shades with enough contrast in both colour schemes. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  variantColorResolver,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Inputs that stand beside one another begin at the same height, whatever help they have.
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
    // A <header> in a dialog is not the banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // Its cross has no accessible name.
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
  },
});
