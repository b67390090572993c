"""What a person does in a browser: opens the address, signs in and allows. EMAIL and PASSWORD say who."""
import http.cookiejar
import os
import re
import sys
import urllib.parse
import urllib.request

browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
page = sys.argv[1]
text = browser.open(page).read().decode()
form = {
    'proof': re.search('name="proof" value="([^"]*)"', text).group(1),
    'email': os.environ['EMAIL'],
    'password': os.environ['PASSWORD'],
    'decision': 'allow',
}
# follows to where the program waits
browser.open(page, urllib.parse.urlencode(form).encode()).read()
