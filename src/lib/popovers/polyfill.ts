// Adds popovers to Safari before 17.
import { apply } from '@oddbird/popover-polyfill/fn';
import styles from './popovers.css?inline';

apply();
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);
