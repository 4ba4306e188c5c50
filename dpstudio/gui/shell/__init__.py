"""The frame of the window: menus, theme, status, settings, and what stands where."""
