"""Commands as rows; menus, shortcuts, palette and shortcut page are made from them."""
