/** The mark of the platform, a gantry crane with its load, on a tile of the accent. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M3 4h26a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-1v19a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1V8h-6v6h3a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H11a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1h3V8H8v19a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V8H3a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1Z" />
    </svg>
  );
}
