package web

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientAddr is the address a request came from. X-Forwarded-For is believed only as far
// as trusted proxies wrote it: from the right, up to the first address that is none.
func clientAddr(r *http.Request, trusted []netip.Prefix) netip.Addr {
	addr := parseAddr(r.RemoteAddr)
	if !within(addr, trusted) {
		return addr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		next := parseAddr(strings.TrimSpace(hop))
		if !next.IsValid() {
			break // what a proxy did not write as an address says nothing
		}
		if addr = next; !within(addr, trusted) {
			break
		}
	}
	return addr
}

// parseAddr reads an address with or without a port. The zero Addr is none.
func parseAddr(text string) netip.Addr {
	if both, err := netip.ParseAddrPort(text); err == nil {
		return both.Addr().Unmap().WithZone("")
	}
	addr, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

func within(addr netip.Addr, list []netip.Prefix) bool {
	return slices.ContainsFunc(list, func(p netip.Prefix) bool { return p.Contains(addr) })
}
