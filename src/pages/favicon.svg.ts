import type { APIRoute } from 'astro';
import mark from '../components/drawings/mark.svg?raw';

export const GET: APIRoute = () => new Response(mark, { headers: { 'content-type': 'image/svg+xml' } });
