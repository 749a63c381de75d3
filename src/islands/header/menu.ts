export interface MenuItem {
  readonly label: string;
  readonly href: string;
  readonly current: boolean;
}

/**
 * Returns the menu items (docs/product.md#header-and-navigation). Items for sections lead to the home page, which
 * contains the sections.
 * @param path of the page, without a trailing slash.
 */
export function menuOf(path: string): MenuItem[] {
  const home = path === '/' ? '' : '/';
  const items = [
    { label: 'Home', href: '/' },
    { label: 'Services', href: `${home}#services` },
    { label: 'About', href: `${home}#about` },
    { label: 'Resources', href: `${home}#resources` },
    { label: 'Join the Team', href: '/join-team' },
    { label: 'Contact', href: path === '/' ? '#contact' : '/contact' },
  ];
  return items.map((item) => ({ ...item, current: item.href === path }));
}
