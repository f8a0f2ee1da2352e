import {
  createTheme,
  defaultVariantColorsResolver,
  Notification,
  type VariantColorResolverResult,
  type VariantColorsResolver,
} from '@mantine/core';

/** The library works out the colours of a button with every drawing of it; there are only few, and the theme never changes. */
const colours = new Map<string, VariantColorResolverResult>();
const variantColorResolver: VariantColorsResolver = (input) => {
  const key = JSON.stringify([input.color, input.variant, input.gradient, input.autoContrast]);
  const known = colours.get(key) ?? defaultVariantColorsResolver(input);
  colours.set(key, known);
  return known;
};

/** Shades with enough contrast in both colour schemes. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  variantColorResolver,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  // Its cross has no name of its own.
  components: {
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
  },
});
