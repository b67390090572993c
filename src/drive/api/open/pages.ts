/** The page of the store. */
import type { PageFiles } from '../../../web/pages.ts'

export const PAGES: PageFiles = {
  '/': ['index.html', 'text/html'],
  '/page.css': ['page.css', 'text/css'],
  '/drive.css': ['drive.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
}
