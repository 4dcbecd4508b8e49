// selvedge: assertion=safe memory=safe
#include <assert.h>
#include <wchar.h>

int main(void)
{
    wchar_t text[8], *rest;
    wcscpy(text, L"a,bc");
    wcscat(text, L"d");
    assert(wcslen(text) == 5);
    assert(wcscmp(wcstok(text, L",", &rest), L"a") == 0);
    assert(wcscmp(wcstok(0, L",", &rest), L"bcd") == 0);
    assert(wcsstr(text, L"zz") == 0);
    wmemset(text, L'x', 3);
    assert(text[2] == L'x');
    return 0;
}
