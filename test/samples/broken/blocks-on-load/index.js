// Only the outer process can end this.
for (;;);
