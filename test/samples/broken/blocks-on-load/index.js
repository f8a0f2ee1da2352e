// Only the launcher can end this.
for (;;);
