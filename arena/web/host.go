package web

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"chessarena/arena"
)

// hosts are the names the arena answers to. A page of another site can make a browser
// send requests here by pointing its own name at this address (DNS rebinding); such a
// request still names that site in Host. A literal address cannot be rebound, so those
// are all fine.
type hosts []string

func hostsOf(s arena.Settings) hosts {
	list := hosts{"localhost"}
	if host, _, err := net.SplitHostPort(s.Addr); err == nil && host != "" {
		list = append(list, strings.ToLower(host))
	}
	if u, err := url.Parse(s.PublicURL); err == nil && u.Hostname() != "" {
		list = append(list, strings.ToLower(u.Hostname()))
	}
	return list
}

// answer reports whether a request's Host, with or without a port, is one of ours.
func (h hosts) answer(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return strings.HasSuffix(host, ".localhost") || slices.Contains(h, host)
}
